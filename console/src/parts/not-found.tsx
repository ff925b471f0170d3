import { Link, useLocation } from 'wouter';
import { titled } from './environment.ts';
import type { FramePage } from './frame.tsx';
import { Text } from './text.tsx';
import { rich, t } from './words.ts';

/** The page of an address that names no page. @param pages the pages that there are. */
export const NotFound = ({ brand, pages }: { brand: string; pages: readonly FramePage[] }) => {
  const [path] = useLocation();
  return (
    <>
      <title>{`${t('Not found')} – ${titled(brand)}`}</title>
      <h1>{t('Not found')}</h1>
      <p>
        {rich('There is no page {path}. It may have been moved, or the address is not complete.', {
          path: <Text of={path} />,
        })}
      </p>
      <p>{t('These pages exist:')}</p>
      <ul>
        {pages.map(([to, name]) => (
          <li key={to}>
            <Link href={to}>{t(name)}</Link>
          </li>
        ))}
      </ul>
    </>
  );
};
