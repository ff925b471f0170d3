import { QuietButton } from './quiet-button.tsx';
import { pageParameter, useAddress } from './use-address.ts';
import { t } from './words.ts';

/** The id of the last row before this page of a list, newest first; empty on the first page. */
export const usePageId = (): string => useAddress().get(pageParameter);

/** Buttons to the pages beside this one. @param next the id of the older page; empty: none. */
export const Pages = ({ next }: { next: string | undefined }) => {
  const address = useAddress();
  return (
    <div className="pages">
      {address.get(pageParameter) !== '' && (
        <QuietButton onClick={() => address.set({})}>{t('Newest')}</QuietButton>
      )}
      {next && (
        <QuietButton onClick={() => address.set({ [pageParameter]: next })}>
          {t('Older')}
        </QuietButton>
      )}
    </div>
  );
};
