import { conflict, type DomainError, notFound } from '../errors/domain-error.js';

export const noSuchAccount = (id: string): DomainError => notFound(`there is no account ${id}`);

export const noSuchOrganisation = (id: string): DomainError => notFound(`there is no organisation ${id}`);

export const noSuchApiKey = (id: string): DomainError => notFound(`there is no API key ${id}`);

export const emailTaken = (email: string): DomainError => conflict(`the organisation already has a user ${email}`);

/** `phone_number_id` belongs to one account, by constraint (D70). */
export const phoneNumberIdTaken = (phoneNumberId: string): DomainError =>
  conflict(`the phone_number_id ${phoneNumberId} is registered already`);

/** `waba_id` belongs to one account, by constraint (D70). */
export const wabaIdTaken = (wabaId: string): DomainError =>
  conflict(`the waba_id ${wabaId} belongs to another account`);
