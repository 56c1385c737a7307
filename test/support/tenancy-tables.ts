import { getMetadataArgsStorage } from 'typeorm';
import { ledgerOf } from '../../src/manifest/extension.js';
import { MANIFEST } from '../../src/rooms.js';

const { columns, tables } = getMetadataArgsStorage();
const ofAccounts = new Set(
  columns.filter(({ propertyName }) => propertyName === 'accountId').map(({ target }) => target),
);

/**
 * All tables whose rows belong to an account: those whose entity has an `accountId`. A test compares them with the
 * database.
 */
export const TENANT_TABLES: readonly string[] = tables.flatMap(({ target, name }) =>
  ofAccounts.has(target) && MANIFEST.entities.some((entity) => entity === target) ? (name ?? []) : [],
);

/** The tables that list which migrations of extensions have run. They have no entities and hold nothing of an account. */
export const EXTENSION_LEDGERS: readonly string[] = MANIFEST.extensions.map(ledgerOf);

/** Views over tenant tables with an `account_id` column. */
export const TENANT_VIEWS: readonly string[] = ['counter_amounts', 'erased_contacts', 'listening_accounts'];
