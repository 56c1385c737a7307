import { words } from '../../words/en.js';
import { SignInForm } from './sign-in-form.js';

/** The way in with a password. */
export function Screen() {
  return (
    <>
      <h1 tabIndex={-1}>{words.signIn.title}</h1>
      <SignInForm />
    </>
  );
}
