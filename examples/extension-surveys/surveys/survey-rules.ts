import { badRequest } from 'parley';

/** The limits of the network for a message with buttons; texts in Unicode code points. */
export const SURVEY_LIMITS = { question: 1024, options: 3, option: 20 };

/**
 * Checks the options of a new survey, whose number and length are known to be small enough.
 *
 * @throws DomainError `bad_request`
 */
export function requireOptions(options: readonly string[]): void {
  const blank = options.findIndex((option) => option.trim() === '');
  if (blank >= 0) throw badRequest(`options[${blank}] must not be blank`);
  const twice = options.find((option, index) => options.indexOf(option) !== index);
  if (twice !== undefined) throw badRequest(`options must differ (got ${JSON.stringify(twice)} twice)`);
}

/** @throws DomainError `bad_request` unless the time is to come */
export function requireLater(closesAt: Date, now: Date): void {
  if (closesAt <= now) throw badRequest(`closes_at must be in the future (got ${closesAt.toISOString()})`);
}
