import { hasEnded } from '../data/session.js';
import type { SignedInUser } from '../data/session-api.js';
import { Dialog } from '../parts/dialog.js';
import { SignInForm } from '../screens/sign-in/sign-in-form.js';
import { words } from '../words/en.js';

/** Over a page whose session has ended: signing in again leaves the page as it is. */
export function SignedOutDialog({ user }: { user: SignedInUser }) {
  if (!hasEnded.value) return null;
  return (
    <Dialog title={words.again.title}>
      <p class="dim">{words.again.text}</p>
      <SignInForm email={user.email} />
      <a class="link" href="/console/sign-in" target="_self">
        {words.again.other}
      </a>
    </Dialog>
  );
}
