import { type Signal, signal } from '@preact/signals';
import { accountId } from '../../../data/account.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import { type FileKind, look } from './file-rules.js';
import { type Upload, upload } from './upload.js';

export type UploadState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'going'; readonly share: number }
  | { readonly kind: 'done'; readonly mediaId: string }
  | { readonly kind: 'failed'; readonly text: string };

/** A file that goes with the next message. */
export interface AttachedFile {
  readonly id: number;
  readonly file: File;
  readonly kind: FileKind;
  /** In which account it was attached: it is uploaded to no other one. */
  readonly account: string | null;
  /** The address of its picture; null for what is no image. */
  readonly preview: string | null;
  readonly state: Signal<UploadState>;
}

let lastId = 0;
/** Uploads go one after the other. */
let queue: Promise<unknown> = Promise.resolve();
const running = new Map<number, Upload>();

/** Takes the files that can be sent and begins to upload them; says of the others why they can’t. */
export function attach(files: Iterable<File>): { taken: AttachedFile[]; refusals: string[] } {
  const taken: AttachedFile[] = [];
  const refusals: string[] = [];
  for (const file of files) {
    const known = look(file);
    if (!('file' in known)) {
      refusals.push(inboxComposerWords.files.refused(file.name, known));
      continue;
    }
    lastId += 1;
    const preview = known.kind === 'image' ? URL.createObjectURL(known.file) : null;
    const state = signal<UploadState>({ kind: 'waiting' });
    const attached = { id: lastId, ...known, account: accountId.peek(), preview, state };
    taken.push(attached);
    begin(attached);
  }
  return { taken, refusals };
}

/** Uploads a file, after those that were attached before it. */
export function begin(attached: AttachedFile): void {
  attached.state.value = { kind: 'waiting' };
  queue = queue.then(() => run(attached));
}

async function run({ id, file, account, state }: AttachedFile): Promise<void> {
  // Removed before its turn.
  if (state.value.kind !== 'waiting') return;
  state.value = { kind: 'going', share: 0 };
  const started = upload(file, account, (share) => {
    if (state.value.kind === 'going') state.value = { kind: 'going', share };
  });
  running.set(id, started);
  try {
    state.value = { kind: 'done', mediaId: await started.mediaId };
  } catch (error) {
    state.value = { kind: 'failed', text: error instanceof Error ? error.message : String(error) };
  } finally {
    running.delete(id);
  }
}

/** Gives up a file: ends its upload, and forgets its picture. */
export function discard({ id, preview, state }: AttachedFile): void {
  running.get(id)?.cancel();
  if (state.value.kind === 'waiting') state.value = { kind: 'failed', text: '' };
  if (preview !== null) URL.revokeObjectURL(preview);
}

/** Waits until a file has been uploaded; null if it could not be. */
export function uploaded({ state }: AttachedFile): Promise<string | null> {
  return new Promise((resolve) => {
    const end = state.subscribe((now) => {
      if (now.kind === 'waiting' || now.kind === 'going') return;
      resolve(now.kind === 'done' ? now.mediaId : null);
      // The first call comes before there is anything to end.
      queueMicrotask(() => end());
    });
  });
}
