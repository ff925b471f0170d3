import { operatorRoles } from '@pto/proto/callers';
import { clients } from '../../calls/clients.ts';
import { PageFailure } from '../../calls/failure.ts';
import { Field, FormWindow } from '../../parts/window.tsx';

const daySeconds = 86_400;
const daysMax = 366;
const changes = [['tokens']];

/** Issues a personal token. @param onDone gets the token, which no later answer has. */
export const IssueToken = ({
  onClose,
  onDone,
}: {
  onClose: () => void;
  onDone: (secret: string) => void;
}) => {
  const issue = async (fields: FormData) => {
    const roles = fields.getAll('role').map(String);
    if (roles.length === 0) throw new PageFailure('Choose at least one role.');
    const { secret } = await clients.operators.issueToken({
      name: fields.get('name')!.toString(),
      roles,
      expiresInSeconds: BigInt(Number(fields.get('days')) * daySeconds),
    });
    onDone(secret);
  };
  return (
    <FormWindow title="Issue a token" verb="Issue" {...{ onClose, changes }} submit={issue}>
      <Field label="Whose it is" name="name" maxLength={100} required />
      <fieldset className="scopes">
        <legend>Roles</legend>
        {operatorRoles.map((role) => (
          <label key={role}>
            <input type="checkbox" name="role" value={role} /> {role}
          </label>
        ))}
      </fieldset>
      <Field
        label="Valid for days"
        name="days"
        type="number"
        min={1}
        max={daysMax}
        defaultValue={90}
        required
      />
    </FormWindow>
  );
};
