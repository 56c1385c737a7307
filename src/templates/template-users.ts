import type { Tx } from '../database/unit-of-work.js';

/** What still needs a template. */
export interface TemplateUser {
  readonly id: string;
  readonly name: string;
}

/** Knows which campaigns still need a template; the campaigns room implements it. */
export abstract class TemplateUsers {
  /** Scheduled and running campaigns with the template, the oldest first, at most `limit`. */
  abstract find(accountId: string, templateId: string, limit: number, tx: Tx): Promise<TemplateUser[]>;
}
