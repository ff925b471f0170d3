import { useEffect, useState } from 'react';
import { t } from '../parts/words.ts';
import { readPhoto } from './picture.ts';

/** A photo by the phone's camera, or of a file. @param onPhoto gets it upright; null: there is none. */
export const PhotoField = ({ onPhoto }: { onPhoto: (photo: ImageBitmap | null) => void }) => {
  const [shown, setShown] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => () => (shown ? URL.revokeObjectURL(shown) : undefined), [shown]);
  const take = async (file: File | undefined) => {
    const photo = file ? await readPhoto(file).catch(() => null) : null;
    setFailed(file !== undefined && photo === null);
    setShown(file && photo ? URL.createObjectURL(file) : undefined);
    onPhoto(photo);
  };
  return (
    <div className="photo">
      <label className="take">
        <span>{t(shown ? 'Take another photo' : 'Take a photo')}</span>
        <input
          type="file"
          accept="image/*"
          capture="environment"
          onChange={(event) => void take(event.target.files?.[0])}
        />
      </label>
      {shown && <img src={shown} alt={t('The photo')} />}
      {hasFailed && (
        <p className="error" role="alert">
          {t('This photo cannot be read. Take another one.')}
        </p>
      )}
    </div>
  );
};
