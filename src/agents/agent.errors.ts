import { badRequest, conflict, type DomainError, notFound } from '../errors/domain-error.js';

/** An API key without an organisation has no agents. */
export const noOrganisation = (): DomainError => badRequest('the API key has no organisation, so it has no agents');

export const noSuchAgent = (userId: string): DomainError => notFound(`there is no agent ${userId}`);

/** Without an owner nobody could change the organisation any more. */
export const lastOwner = (): DomainError =>
  conflict('the organisation would be left without an active owner; make somebody else an owner first');

/** An agent who is deactivated can come back. */
export const agentEmailTaken = (email: string, deactivated: string | null): DomainError =>
  conflict(
    deactivated === null
      ? `the organisation already has an agent ${email}`
      : `the organisation has a deactivated agent ${email}; activate them with \`agents activate ${deactivated}\``,
  );
