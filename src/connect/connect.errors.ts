import { badRequest, conflict, type DomainError, notFound } from '../errors/domain-error.js';

export const noPhone = (id: string): DomainError => notFound(`there is no business phone ${id}`);

export const tokenOrCode = (given: 'both' | 'neither'): DomainError =>
  badRequest(
    given === 'both'
      ? 'token and code must not both be given: a code is exchanged for a token'
      : 'token or code is required',
  );

export const nothingToChange = (): DomainError => badRequest('phone_number_id or waba_id is required');

export const phoneInUse = (id: string, campaigns: readonly string[]): DomainError =>
  conflict(
    `business phone ${id} is used by campaigns that run or are scheduled (${campaigns.join(', ')}); wait for their end or ` +
      'cancel them first',
  );
