import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ledgersOf } from '../../src/database/schema/ledgers.js';
import { databaseStateOf, migrate } from '../../src/database/schema/migrate.js';
import { awaitDatabase } from '../../src/database/schema/schema-state.js';
import { Manifest } from '../../src/manifest/manifest.js';
import { Room } from '../../src/manifest/room.js';
import { MANIFEST } from '../../src/rooms.js';
import { emptyDatabase, freshDatabase } from '../support/database.js';
import { CreateNotes1790000000001 } from './notes/migrations/0001-create-notes.js';
import NotesModule from './notes/notes.module.js';

class AddAuthor1790000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notes_notes ADD COLUMN author text');
  }

  async down(): Promise<void> {}
}

class BreakNotes1790000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notes_notes ADD COLUMN broken text');
    await runner.query('SELECT 1 / 0');
  }

  async down(): Promise<void> {}
}

@Room({ migrations: [CreateNotes1790000000001, AddAuthor1790000000002] })
class LaterNotesModule {}

@Room({ migrations: [CreateNotes1790000000001, AddAuthor1790000000002, BreakNotes1790000000003] })
class BrokenNotesModule {}

const FIRST = 'notes/CreateNotes1790000000001';
const SECOND = 'notes/AddAuthor1790000000002';
const manifestWith = (notes: new () => object) => new Manifest(MANIFEST.core, { notes });
const [old, later, broken] = [NotesModule, LaterNotesModule, BrokenNotesModule].map(manifestWith) as [
  Manifest,
  Manifest,
  Manifest,
];
const none = new Manifest(MANIFEST.core);

const start = (url: string, manifest: Manifest) =>
  awaitDatabase({ url, isPooled: false }, ledgersOf(manifest), () => undefined);
const tooOld = `this release of Parley is too old for the database schema: it does not know ${SECOND}. Run a newer release.`;

describe('the migrations of an extension', () => {
  it('run after those of the core, once, whichever process migrates', async () => {
    const url = await emptyDatabase();
    const runs = await Promise.all([migrate(url, old), migrate(url, old)]);
    const [none = [], all = []] = runs.sort((a, b) => a.length - b.length);
    expect(none).toEqual([]);
    expect(all.filter((name) => name.includes('/'))).toEqual([FIRST]);
    expect(all.at(-1)).toBe(FIRST);
  });

  it('are demanded by a start, in their own words', async () => {
    const url = await freshDatabase();
    await expect(start(url, old)).rejects.toThrow(
      `the database schema is older than this release: it lacks ${FIRST}. Run \`npm run migrate\` first`,
    );
    await migrate(url, old);
    await start(url, old);
    await expect(start(url, later)).rejects.toThrow(`it lacks ${SECOND}.`);
  });

  it('stop an older release of the extension, and let Parley start without it', async () => {
    const url = await freshDatabase();
    expect(await migrate(url, later)).toEqual([FIRST, SECOND]);
    await expect(start(url, old)).rejects.toThrow(tooOld);
    await expect(migrate(url, old)).rejects.toThrow(tooOld);
    await start(url, none);
    expect(await migrate(url, none)).toEqual([]);
    // It comes back.
    await start(url, later);
  });

  it('fail one by one: what ran before stays, and the next run goes on', async () => {
    const url = await freshDatabase();
    await expect(migrate(url, broken)).rejects.toThrow('division by zero');
    const { known, applied } = await databaseStateOf(url, broken);
    expect(known.filter((name) => applied?.includes(name) === false)).toEqual(['notes/BreakNotes1790000000003']);
    expect(await migrate(url, later)).toEqual([]);
  });
});
