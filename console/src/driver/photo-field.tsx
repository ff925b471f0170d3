import { useEffect, useRef, useState } from 'react';
import { t } from '../parts/words.ts';
import { fill } from './draft.ts';
import { smallPhoto } from './picture.ts';

/** A photo by the phone's camera, or of a file: the form's `photo`, upright and small. */
export const PhotoField = () => {
  const photo = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState<string>();
  const [state, setState] = useState<'' | 'busy' | 'failed'>('');
  useEffect(() => () => (shown ? URL.revokeObjectURL(shown) : undefined), [shown]);
  const take = async (file: File | undefined) => {
    if (!file) return;
    setState('busy');
    const small = await smallPhoto(file).catch(() => null);
    fill(photo.current, small ? [small] : []);
    setState(small ? '' : 'failed');
  };
  return (
    <div className="photo" aria-busy={state === 'busy'}>
      <label className="take">
        <span>
          {t(state === 'busy' ? 'Wait …' : shown ? 'Take another photo' : 'Take a photo')}
        </span>
        <input
          type="file"
          accept="image/*"
          capture="environment"
          onChange={(event) => void take(event.target.files?.[0])}
        />
      </label>
      <input
        hidden
        name="photo"
        type="file"
        ref={photo}
        onChange={({ target: { files } }) => setShown(files?.[0] && URL.createObjectURL(files[0]))}
      />
      {shown && <img src={shown} alt={t('The photo')} />}
      {state === 'failed' && (
        <p className="error" role="alert">
          {t('This photo cannot be read. Take another one.')}
        </p>
      )}
    </div>
  );
};
