/** A CSV file to upload. A `Blob`, such as that of `fs.openAsBlob`, is read while it is sent. */
export type CsvFile = string | Uint8Array | Blob;

/** The bytes of the byte order mark in UTF-8. */
const MARK = [0xef, 0xbb, 0xbf];

/** A CSV file that is being downloaded, without its byte order mark. Read it once, by {@link text} or {@link stream}. */
export class CsvDownload {
  constructor(private readonly response: Response) {}

  /** The whole file as text. */
  text(): Promise<string> {
    return this.response.text();
  }

  /** The file's bytes as they arrive: `await pipeline(download.stream, createWriteStream('contacts.csv'))`. */
  get stream(): ReadableStream<Uint8Array> {
    if (this.response.body === null) throw new Error('the answer has no body');
    return this.response.body.pipeThrough(withoutMark());
  }
}

/** Leaves out the mark, if the bytes begin with it. */
function withoutMark(): TransformStream<Uint8Array, Uint8Array> {
  /** What may become the mark; null once that is decided. */
  let beginning: Uint8Array | null = new Uint8Array();
  return new TransformStream({
    transform(chunk, controller) {
      if (beginning === null) return controller.enqueue(chunk);
      const bytes = new Uint8Array([...beginning, ...chunk.subarray(0, MARK.length)]);
      const taken = Math.min(chunk.length, MARK.length);
      beginning = bytes.length < MARK.length ? bytes : null;
      if (beginning !== null) return;
      const isMarked = MARK.every((byte, index) => bytes[index] === byte);
      for (const part of [isMarked ? bytes.subarray(MARK.length) : bytes, chunk.subarray(taken)]) {
        if (part.length > 0) controller.enqueue(part);
      }
    },
    flush(controller) {
      if (beginning !== null && beginning.length > 0) controller.enqueue(beginning);
    },
  });
}
