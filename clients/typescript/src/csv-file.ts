/** A CSV file to upload. A `Blob`, such as that of `fs.openAsBlob`, is read while it is sent. */
export type CsvFile = string | Uint8Array | Blob;

/** A CSV file that is being downloaded. Read it once, by {@link text} or {@link stream}. */
export class CsvDownload {
  constructor(private readonly response: Response) {}

  /** The whole file as text. */
  text(): Promise<string> {
    return this.response.text();
  }

  /** The file's bytes as they arrive: `await pipeline(download.stream, createWriteStream('contacts.csv'))`. */
  get stream(): ReadableStream<Uint8Array> {
    if (this.response.body === null) throw new Error('the answer has no body');
    return this.response.body;
  }
}
