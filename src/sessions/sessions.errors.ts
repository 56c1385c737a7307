import { badRequest, conflict, DomainError, forbidden, notFound } from '../errors/domain-error.js';

/** One answer for an unknown address and for a wrong password, so that nobody learns who has an account. */
export const wrongPassword = (): DomainError =>
  new DomainError('unauthorized', 'the e-mail address or the password is wrong');

export const linkIsVoid = (): DomainError =>
  new DomainError('unauthorized', 'the link was used already or is too old; ask for another one');

export const sessionHasEnded = (): DomainError =>
  new DomainError('unauthorized', 'the session has ended; sign in again');

export const passwordIsOther = (): DomainError =>
  conflict('the session has ended, or the password was changed meanwhile; sign in again');

export const wrongCurrentPassword = (): DomainError => forbidden('current is not your password');

export const currentRequired = (): DomainError => badRequest('current is required: your password so far');

export const foreignPage = (): DomainError => forbidden('sign-in must come from a page of this service');

export const noSuchSession = (id: string): DomainError => notFound(`you have no session ${id}`);

export function triesBlocked(seconds: number): DomainError {
  const message = `too many failed attempts to sign in with this e-mail address; retry in ${seconds} s`;
  return new DomainError('rate_limited', message, { headers: { 'retry-after': String(seconds) } });
}

/** A password was not compared, because too many others wait. */
export class PasswordsBusy extends DomainError {
  constructor() {
    super('unavailable', 'many people are signing in at once; retry in 1 s', { headers: { 'retry-after': '1' } });
  }
}
