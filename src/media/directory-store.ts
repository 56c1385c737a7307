import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { StartupError } from '../config/start-failure.js';
import { type ListedMedia, type MediaKey, MediaStore, type OpenMedia, StoreUnavailable } from './media-store.js';

/** Where files are written before they get their names. No key begins with a dot. */
const INCOMING = '.incoming';
const KEY_PART = /^[a-z0-9-]+$/;
const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;
/** Tries at a rename whose directory another process removes because it was empty. */
const MAX_TRIES = 5;

/**
 * A store in a directory that several machines may share. A file is written under a name of its own, forced to the disk
 * and then renamed, so no reader ever sees part of one. Only this user can read the files.
 */
export class DirectoryStore extends MediaStore {
  private constructor(private readonly root: string) {
    super();
  }

  /** @throws StartupError when files cannot be written there */
  static async at(root: string): Promise<DirectoryStore> {
    const store = new DirectoryStore(root);
    try {
      const key = `start-${randomUUID()}`;
      await store.put(key, probe());
      await store.delete(key);
    } catch (error) {
      const { message } = ((error as Error).cause ?? error) as Error;
      throw new StartupError(`MEDIA_STORE: cannot write to ${root}: ${message}`);
    }
    return store;
  }

  async put(key: MediaKey, bytes: AsyncIterable<Buffer>): Promise<void> {
    const incoming = path.join(this.root, INCOMING);
    await guarded(() => mkdir(incoming, { recursive: true, mode: PRIVATE_DIRECTORY }));
    const temporary = path.join(incoming, randomUUID());
    const file = await guarded(() => open(temporary, 'wx', PRIVATE_FILE));
    try {
      try {
        for await (const chunk of bytes) await guarded(() => writeAll(file, chunk));
        await guarded(() => file.sync());
      } finally {
        await file.close();
      }
      await guarded(() => this.giveName(temporary, key));
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
  }

  async open(key: MediaKey): Promise<OpenMedia | null> {
    const file = await unlessAbsent(() => open(this.pathOf(key), 'r'));
    if (file === null) return null;
    try {
      const { size } = await guarded(() => file.stat());
      return new OpenFile(file, size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async has(key: MediaKey): Promise<boolean> {
    return (await unlessAbsent(() => stat(this.pathOf(key)))) !== null;
  }

  async delete(key: MediaKey): Promise<void> {
    const file = this.pathOf(key);
    await unlessAbsent(() => unlink(file));
    // Those that are now empty; whoever is about to put a file there makes them again.
    for (let folder = path.dirname(file); folder !== this.root; folder = path.dirname(folder)) {
      const isRemoved = await rmdir(folder).then(
        () => true,
        () => false,
      );
      if (!isRemoved) return;
    }
  }

  async *list(): AsyncIterable<ListedMedia> {
    for await (const key of this.keysIn('')) {
      const found = await unlessAbsent(() => stat(this.pathOf(key)));
      if (found !== null) yield { key, writtenAt: found.mtime };
    }
  }

  async tidy(before: Date): Promise<void> {
    for await (const { name } of entriesOf(path.join(this.root, INCOMING))) {
      const file = path.join(this.root, INCOMING, name);
      const found = await unlessAbsent(() => stat(file));
      if (found !== null && found.mtime < before) await unlessAbsent(() => unlink(file));
    }
  }

  private async *keysIn(folder: string): AsyncIterable<MediaKey> {
    for await (const entry of entriesOf(path.join(this.root, folder))) {
      // Not ours, such as lost+found.
      if (!KEY_PART.test(entry.name)) continue;
      const key = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.keysIn(key);
      else if (entry.isFile()) yield key;
    }
  }

  private async giveName(temporary: string, key: MediaKey): Promise<void> {
    const file = this.pathOf(key);
    const folder = path.dirname(file);
    for (let tries = 1; ; tries += 1) {
      const made = await mkdir(folder, { recursive: true, mode: PRIVATE_DIRECTORY });
      try {
        await rename(temporary, file);
        await syncFolders(folder, made === undefined ? folder : path.dirname(made));
        return;
      } catch (error) {
        if (!isAbsent(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  private pathOf(key: MediaKey): string {
    if (!key.split('/').every((part) => KEY_PART.test(part))) throw new Error(`not a key of a media file: ${key}`);
    return path.join(this.root, key);
  }
}

class OpenFile implements OpenMedia {
  constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  read(start: number, end: number): Readable {
    return this.file.createReadStream({ start, end });
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

async function* probe(): AsyncIterable<Buffer> {
  yield Buffer.from('Parley can write here.');
}

/** A write may take only part of what it is given. */
async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
}

/** Forces the entries of `folder` and of those above it to the disk, up to `last`. */
async function syncFolders(folder: string, last: string): Promise<void> {
  for (let each = folder; ; each = path.dirname(each)) {
    const handle = await open(each, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (each === last || each === path.dirname(each)) return;
  }
}

async function* entriesOf(folder: string): AsyncIterable<Dirent> {
  const entries = await unlessAbsent(() => opendir(folder));
  if (entries === null) return;
  try {
    yield* entries;
  } catch (error) {
    if (!isAbsent(error)) throw new StoreUnavailable(error);
  }
}

const isAbsent = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
};

async function unlessAbsent<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isAbsent(error)) return null;
    throw new StoreUnavailable(error);
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StoreUnavailable(error);
  }
}
