import { modulesPath, qrModules } from '@pto/certificate/qr';

/** A QR code, which a camera reads in both color schemes. @param label what is read out instead. */
export const QrCode = ({ of, label }: { of: string; label: string }) => {
  const modules = qrModules(of);
  return (
    <svg
      className="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
    >
      <path d={modulesPath(modules)} />
    </svg>
  );
};
