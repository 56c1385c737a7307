import { useSignal } from '@preact/signals';
import { failureOf } from '../data/failure.js';
import { signOut } from '../data/session.js';
import { Button } from '../parts/button.js';
import { Notice } from '../parts/notice.js';
import { words } from '../words/en.js';
import { navigate } from './router.js';

/** Ends the session and shows the sign-in page. */
export function SignOutButton() {
  const [isBusy, failure] = [useSignal(false), useSignal<string | null>(null)];
  const leave = async (): Promise<void> => {
    isBusy.value = true;
    failure.value = null;
    try {
      await signOut();
      navigate('/console/sign-in');
    } catch (error) {
      failure.value = failureOf(error).text;
      isBusy.value = false;
    }
  };
  return (
    <>
      {failure.value !== null && <Notice kind="bad">{failure.value}</Notice>}
      <Button isBusy={isBusy.value} busyLabel={words.you.signingOut} onPress={leave}>
        {words.you.signOut}
      </Button>
    </>
  );
}
