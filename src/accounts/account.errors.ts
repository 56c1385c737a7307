import { badRequest, conflict, type DomainError, notFound } from '../errors/domain-error.js';

export const noSuchAccount = (id: string): DomainError => notFound(`there is no account ${id}`);

export const noSuchOrganisation = (id: string): DomainError => notFound(`there is no organisation ${id}`);

export const noSuchApiKey = (id: string): DomainError => notFound(`there is no API key ${id}`);

/** The key was revoked, rotated or has expired, so there is nothing to rotate. */
export const keyEnded = (id: string, how: string): DomainError =>
  badRequest(`API key ${id} ${how}; only a key that works can be rotated`);

/** Somebody holds the secret, so a repeated request must not replace it. */
export const keyInUse = (id: string): DomainError =>
  conflict(
    `API key ${id}, which this request made, has been used since, so its secret is neither shown again nor replaced. ` +
      'If it is lost, rotate or revoke the key',
  );

export const tooManyKeys = (max: number): DomainError =>
  conflict(`the account has ${max} working API keys, which is the maximum; revoke one first`);

export const noSuchPhone = (id: string): DomainError => notFound(`there is no business phone ${id}`);

export const noSuchApp = (id: string): DomainError =>
  badRequest(`there is no app ${id}; \`apps list\` shows which there are, \`apps add\` adds one`);

export const appTaken = (id: string): DomainError => conflict(`the app ${id} is already registered`);

/** Its callbacks would be refused from then on. */
export const appInUse = (id: string): DomainError =>
  conflict(`the app ${id} still has business phones; remove them or connect them with another app first`);

export const emailTaken = (email: string): DomainError => conflict(`the organisation already has a user ${email}`);

/** `phone_number_id` belongs to one account, by constraint. */
export const phoneNumberIdTaken = (phoneNumberId: string): DomainError =>
  conflict(`the phone_number_id ${phoneNumberId} is already registered`);

/** `waba_id` belongs to one account, by constraint. */
export const wabaIdTaken = (wabaId: string): DomainError =>
  conflict(`the waba_id ${wabaId} belongs to another account`);
