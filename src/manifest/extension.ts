import type { Type } from '@nestjs/common';
import { getMetadataArgsStorage } from 'typeorm';
import { variableNamesOf } from '../config/settings.js';
import { StartupError } from '../config/start-failure.js';
import { type MigrationClass, manifestOf, type RoomClass } from './room.js';

/** A room that is not a part of Parley itself. */
export interface Extension {
  /** The name of its folder. Its tables, scopes and variables begin with it. */
  readonly name: string;
  readonly room: RoomClass;
  /** Oldest first. */
  readonly migrations: readonly MigrationClass[];
}

/** The rooms of Parley itself, and the others. */
interface Rooms {
  readonly core: readonly RoomClass[];
  readonly extensions: readonly Extension[];
}

/** The table that lists which migrations of an extension have run. */
export const ledgerOf = ({ name }: Pick<Extension, 'name'>): string => `${name}_migrations`;

/** The name of an extension's migration in messages. */
export const migrationName = ({ name }: Pick<Extension, 'name'>, migration: string): string => `${name}/${migration}`;

/** Prefixes of tables and variables that have a meaning without belonging to a room. */
const RESERVED = ['schema', 'parley', 'database', 'redis', 'otel', 'data', 'test', 'node'];

/**
 * Refuses extensions that declare names of others: each has the tables, scopes and variables that begin with its own.
 *
 * @throws StartupError with one line
 */
export function requireOwnNames({ core, extensions }: Rooms): void {
  const coreTables = core.flatMap((room) => (manifestOf(room).entities ?? []).map(tableOf));
  for (const extension of extensions) {
    const { name } = extension;
    const taken = coreTables.find((table) => table.startsWith(`${name}_`)) ?? RESERVED.find((word) => word === name);
    if (taken !== undefined) throw wrong(extension, `the name is taken: Parley itself has ${taken}`);
    const inner = extensions.find((other) => other.name.startsWith(`${name}_`));
    if (inner !== undefined) throw wrong(extension, `its tables could be those of the extension ${inner.name}`);
    requireOwnDeclarations(extension);
    requireOwnTables(extension);
  }
}

function requireOwnDeclarations(extension: Extension): void {
  const { name, room, migrations } = extension;
  const { areas = [], events = [], settings } = manifestOf(room);
  const area = areas.find((declared) => declared !== name);
  if (area !== undefined) throw wrong(extension, `its scopes must be ${name}:read and ${name}:write, not ${area}:…`);
  for (const { kind, manifest } of events) {
    if (!kind.startsWith(`${name}.`)) throw wrong(extension, `its events must begin with ${name}. (got ${kind})`);
    if (manifest.reach === 'usual')
      throw wrong(extension, `endpoints get ${kind} only when they ask for it: it cannot be usual`);
  }
  const prefix = `${name.toUpperCase()}_`;
  const variable = settings && variableNamesOf(settings).find((declared) => !declared.startsWith(prefix));
  if (variable) throw wrong(extension, `its variables must begin with ${prefix} (got ${variable})`);
  const times = migrations.map((migration) => Number(/\d{13}$/.exec(migration.name)?.[0] ?? Number.NaN));
  const misplaced = migrations.findIndex((_, index) => !((times[index] ?? 0) > (times[index - 1] ?? 0)));
  if (misplaced >= 0) {
    const migration = migrations[misplaced]?.name;
    throw wrong(extension, `its migrations must end with 13 digits that ascend (got ${migration})`);
  }
}

function requireOwnTables(extension: Extension): void {
  const prefix = `${extension.name}_`;
  for (const entity of manifestOf(extension.room).entities ?? []) {
    const table = tableOf(entity);
    if (!table.startsWith(prefix) || table === ledgerOf(extension)) {
      throw wrong(
        extension,
        `its tables must begin with ${prefix} and differ from ${ledgerOf(extension)} (got ${table})`,
      );
    }
    const columns = getMetadataArgsStorage().filterColumns([entity]);
    const [key] = columns.filter(({ options }) => options.primary);
    if (columns.some(({ propertyName }) => propertyName === 'accountId') && key?.propertyName !== 'accountId') {
      throw wrong(extension, `the primary key of ${table} must begin with account_id`);
    }
  }
}

/** The table of an entity; '' when its `@Entity` does not say. */
const tableOf = (entity: Type): string => getMetadataArgsStorage().filterTables([entity])[0]?.name ?? '';

const wrong = ({ name }: Extension, what: string): StartupError => new StartupError(`extensions/${name}: ${what}`);
