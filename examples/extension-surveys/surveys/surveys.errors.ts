import { conflict, type DomainError, notFound, type RecordId } from 'parley';

/** 404: this account has no such survey. */
export const surveyNotFound = (id: RecordId): DomainError => notFound(`survey ${id} not found`);

/** 409: nobody can answer the survey any more. */
export const surveyClosed = (id: RecordId, at: Date): DomainError =>
  conflict(`survey ${id} is closed since ${at.toISOString()}; create another one`);
