import type { ButtonHTMLAttributes } from 'react';

/** A button beside the main one. @param className further classes, such as `danger`. */
export const QuietButton = ({
  className = '',
  ...button
}: ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button type="button" {...button} className={`quiet ${className}`.trim()} />
);
