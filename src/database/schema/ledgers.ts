import { MIGRATIONS } from '../../../migrations/index.js';
import { type Extension, ledgerOf, migrationName } from '../../manifest/extension.js';
import type { Manifest } from '../../manifest/manifest.js';
import type { MigrationClass } from '../../manifest/room.js';

/** A table that lists which of some migrations have run. */
export interface Ledger {
  readonly table: string;
  readonly migrations: readonly MigrationClass[];
  /** The name in messages of a migration, which the table lists by its class. */
  name(migration: string): string;
}

/** The migrations of Parley itself. */
export const CORE_LEDGER: Ledger = {
  table: 'schema_migrations',
  migrations: MIGRATIONS,
  name: (migration) => migration,
};

/** All ledgers that a process requires, the core's first. That of an extension that is no longer there is left alone. */
export const ledgersOf = ({ extensions }: Pick<Manifest, 'extensions'>): Ledger[] => [
  CORE_LEDGER,
  ...extensions.filter(({ migrations }) => migrations.length > 0).map(ledgerOfExtension),
];

const ledgerOfExtension = (extension: Extension): Ledger => ({
  table: ledgerOf(extension),
  migrations: extension.migrations,
  name: (migration) => migrationName(extension, migration),
});

/** The names of this release's migrations and those of its extensions. */
export const namesIn = (ledgers: readonly Ledger[]): string[] =>
  ledgers.flatMap(({ migrations, name }) => migrations.map((migration) => name(migration.name)));
