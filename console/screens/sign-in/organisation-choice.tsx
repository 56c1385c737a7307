import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ChoosableOrganisation } from '../../data/session-api.js';
import { Button } from '../../parts/button.js';
import { words } from '../../words/en.js';

interface OrganisationChoiceProps {
  readonly organisations: readonly ChoosableOrganisation[];
  readonly isBusy: boolean;
  readonly choose: (organisationId: string) => void;
  readonly leave: () => void;
}

/** Which of the organisations that the password opens. */
export function OrganisationChoice({ organisations, isBusy, choose, leave }: OrganisationChoiceProps) {
  const chosen = useSignal(organisations[0]?.organisation_id ?? '');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const { which, whichText, enter, busy, another } = words.signIn;
  return (
    <form
      ref={form}
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) choose(chosen.value);
      }}
    >
      <fieldset class="choices">
        <legend>{which}</legend>
        <p class="hint">{whichText}</p>
        {organisations.map(({ organisation_id, name }) => (
          <label key={organisation_id} class="choice">
            <input
              type="radio"
              name="organisation"
              checked={chosen.value === organisation_id}
              onInput={() => {
                chosen.value = organisation_id;
              }}
            />
            <span dir="auto">{name}</span>
          </label>
        ))}
      </fieldset>
      <Button isPrimary isBusy={isBusy} busyLabel={busy}>
        {enter}
      </Button>
      <button class="link" type="button" onClick={leave}>
        {another}
      </button>
    </form>
  );
}
