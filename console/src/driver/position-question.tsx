import { useState } from 'react';
import { t } from '../parts/words.ts';
import { choosePosition, positionChoice } from './position.ts';

/** Asks once whether records have the phone's position. */
export const PositionQuestion = () => {
  const [choice, setChoice] = useState(positionChoice);
  if (choice !== null) return null;
  const choose = (answer: 'yes' | 'no') => {
    setChoice(answer);
    void choosePosition(answer);
  };
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
