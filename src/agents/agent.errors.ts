import { badRequest, conflict, type DomainError, notFound } from '../errors/domain-error.js';

/** An API key without an organisation has no agents. */
export const noOrganisation = (): DomainError => badRequest('the API key has no organisation, so it has no agents');

export const noSuchAgent = (userId: string): DomainError => notFound(`there is no agent ${userId}`);

export const emailTaken = (email: string): DomainError => conflict(`the organisation already has an agent ${email}`);
