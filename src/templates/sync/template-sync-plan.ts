import type { NewTemplate, Template } from '../template.entity.js';
import type { NetworkTemplate } from './network-template.js';
import { NO_CALLER_FIELDS } from './template-description.js';
import { isUnchanged, refreshedTemplate, storedTemplate } from './template-row.js';

/** The changes a sync makes in one business account. */
export interface SyncPlan {
  readonly create: readonly NewTemplate[];
  readonly update: readonly NewTemplate[];
  /** Ids of templates that the network no longer has. */
  readonly remove: readonly string[];
}

/** The business account to synchronise, and how far its listing can be trusted. */
export interface SyncScope {
  readonly wabaId: string;
  /** The phone that new templates are assigned to. */
  readonly businessPhoneId: string;
  /** When the listing began, to the millisecond. Rows that changed here since then are newer and stay. */
  readonly startedAt: Date;
  /** Whether the listing is complete. If not, nothing is removed. */
  readonly complete: boolean;
  readonly newId: () => string;
}

export const isEmptyPlan = ({ create, update, remove }: SyncPlan): boolean =>
  create.length + update.length + remove.length === 0;

const keyOf = ({ name, language }: { name: string; language: string }): string => `${language}/${name}`;

/** One entry per name and language; pages can overlap when the list changes while it is read. */
export const distinctTemplates = (found: readonly NetworkTemplate[]): NetworkTemplate[] => [
  ...new Map([...found].reverse().map((template) => [keyOf(template), template])).values(),
];

/**
 * Compares the stored templates of a business account with the network's.
 *
 * @param local all stored templates of the business account
 * @param found from {@link distinctTemplates}
 */
export function planSync(local: readonly Template[], found: readonly NetworkTemplate[], scope: SyncScope): SyncPlan {
  const stored = new Map(local.map((template) => [keyOf(template), template]));
  const isOlder = ({ createdAt, updatedAt }: Template): boolean =>
    createdAt < scope.startedAt && updatedAt < scope.startedAt;
  const create: NewTemplate[] = [];
  const update: NewTemplate[] = [];
  for (const template of found) {
    const known = stored.get(keyOf(template));
    stored.delete(keyOf(template));
    if (known === undefined) {
      create.push(storedTemplate(template, { ...scope, id: scope.newId() }, NO_CALLER_FIELDS));
    } else if (isOlder(known) && !isUnchanged(known, template)) {
      update.push(refreshedTemplate(known, template));
    }
  }
  return {
    create,
    update,
    remove: scope.complete ? [...stored.values()].filter(isOlder).map(({ id }) => id) : [],
  };
}
