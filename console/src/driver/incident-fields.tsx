import { incidentKinds, severities } from '@pto/proto/vocabulary';
import { wordOf } from '../parts/badge.tsx';
import { Choice } from '../parts/choice.tsx';
import { t } from '../parts/words.ts';
import { filesOf } from './draft.ts';
import { PhotoField } from './photo-field.tsx';
import { pictureOf } from './picture.ts';
import type { Frame } from './step-form.tsx';

const noteMax = 2000;

/** What happened, of which kind, and how grave it is. */
export const IncidentFields = ({ frame }: { frame: Frame }) =>
  frame(
    <fieldset className="step">
      <legend>{t('Incident')}</legend>
      <Choice
        name="kind"
        label={t('Kind')}
        options={incidentKinds.map((kind) => [kind, wordOf(kind)])}
      />
      <Choice
        name="severity"
        label={t('Severity')}
        options={severities.map((severity) => [severity, wordOf(severity)])}
        defaultValue="medium"
      />
      <label className="field">
        <span>{t('What happened')}</span>
        <textarea name="note" rows={3} maxLength={noteMax} />
      </label>
      <PhotoField />
    </fieldset>,
    async (fields) => {
      const [kind, severity, note] = ['kind', 'severity', 'note'].map((name) =>
        `${fields.get(name) ?? ''}`.trim(),
      );
      if (!note) return t('Write what happened.');
      const picture = await pictureOf(filesOf(fields.getAll('photo'))[0], undefined, []);
      return { name: 'incident', kind: kind!, severity: severity!, note, picture };
    },
  );
