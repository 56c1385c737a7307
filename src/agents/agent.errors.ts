import { badRequest, conflict, type DomainError, notFound } from '../errors/domain-error.js';

/** A key without organisation has no agents. */
export const noOrganisation = (): DomainError =>
  badRequest('the API key belongs to no organisation, so it has no agents');

export const noSuchOrganisation = (id: string): DomainError => notFound(`there is no organisation ${id}`);

export const noSuchAgent = (userId: string): DomainError => notFound(`there is no agent ${userId}`);

export const emailTaken = (email: string): DomainError => conflict(`the organisation already has an agent ${email}`);
