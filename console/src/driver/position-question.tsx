import { useState } from 'react';
import { t } from '../parts/words.ts';
import { choosePosition, positionChoice } from './position.ts';

const Denied = () => (
  <p className="notice" role="status">
    {t(
      'The browser does not permit the position. Allow it for this page in the settings of the browser. Your records are the same without it.',
    )}
  </p>
);

const useChoice = () => {
  const [choice, setChoice] = useState(positionChoice);
  const choose = async (answer: 'yes' | 'no') => {
    setChoice(answer);
    setChoice(await choosePosition(answer));
  };
  return [choice, choose] as const;
};

/** Asks once whether records have the phone's position. */
export const PositionQuestion = () => {
  const [before] = useState(positionChoice);
  const [choice, choose] = useChoice();
  if (before !== null) return null;
  if (choice !== null) return choice === 'denied' && <Denied />;
  return (
    <section className="notice">
      <p>
        {t(
          'With your position, each record shows where it was made, and the office and the next stop see a circle of 1 km in which you are. It is read only while this page is open.',
        )}
      </p>
      <div className="pair">
        <button type="button" onClick={() => choose('yes')}>
          {t('Allow the position')}
        </button>
        <button type="button" className="quiet" onClick={() => choose('no')}>
          {t('No')}
        </button>
      </div>
    </section>
  );
};

/** Changes the answer. */
export const PositionSetting = () => {
  const [choice, choose] = useChoice();
  const isYes = choice === 'yes';
  return (
    <>
      {choice === 'denied' && <Denied />}
      <button type="button" className="quiet" onClick={() => choose(isYes ? 'no' : 'yes')}>
        {isYes ? t('Record no position') : t('Record the position')}
      </button>
    </>
  );
};
