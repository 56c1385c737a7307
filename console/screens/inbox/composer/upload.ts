import { lost } from '../../../data/connection.js';
import { noteSignedOut } from '../../../data/session.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';

/** An upload under way. */
export interface Upload {
  /** The id by which the file is sent; rejects with words. */
  readonly mediaId: Promise<string>;
  readonly cancel: () => void;
}

const ADDRESS = '/api/v1/media';

/** Uploads a file; `fetch` does not say how far it is. */
export function upload(file: File, account: string | null, onProgress: (share: number) => void): Upload {
  const request = new XMLHttpRequest();
  const words = inboxComposerWords.files;
  const mediaId = new Promise<string>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onabort = () => reject(new Error(words.cancelled));
    request.onerror = () => {
      lost();
      reject(new Error(words.noAnswer));
    };
    request.onload = () => {
      if (request.status === 401) noteSignedOut();
      const id = idIn(request.response);
      if (request.status < 300 && id !== null) resolve(id);
      else reject(new Error(faultIn(request)));
    };
  });
  // Nobody may be waiting for it yet.
  mediaId.catch(() => undefined);
  const form = new FormData();
  form.append('file', file);
  request.open('POST', ADDRESS);
  request.responseType = 'json';
  if (account !== null) request.setRequestHeader('parley-account', account);
  request.send(form);
  return { mediaId, cancel: () => request.abort() };
}

const idIn = (body: unknown): string | null => (body as { media?: { id?: string } } | null)?.media?.id ?? null;

function faultIn({ status, response }: XMLHttpRequest): string {
  const words = inboxComposerWords.files;
  if (status === 401) return words.signedOut;
  if (status >= 500) return words.busy;
  return (response as { message?: string } | null)?.message ?? words.failed;
}
