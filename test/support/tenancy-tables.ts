import { getMetadataArgsStorage } from 'typeorm';
import { ENTITIES } from '../../src/entities.js';

const { columns, tables } = getMetadataArgsStorage();
const ofAccounts = new Set(
  columns.filter(({ propertyName }) => propertyName === 'accountId').map(({ target }) => target),
);

/**
 * All tables whose rows belong to an account: those whose entity has an `accountId`. A test compares them with the
 * database.
 */
export const TENANT_TABLES: readonly string[] = tables.flatMap(({ target, name }) =>
  ofAccounts.has(target) && ENTITIES.some((entity) => entity === target) ? (name ?? []) : [],
);

/** Views over tenant tables with an `account_id` column. */
export const TENANT_VIEWS: readonly string[] = ['counter_amounts', 'erased_contacts', 'listening_accounts'];
