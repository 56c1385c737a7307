/** A file that is being downloaded. Read it once, by {@link bytes} or {@link stream}. */
export class FileDownload {
  constructor(private readonly response: Response) {}

  /** The media type of its content, such as `image/jpeg`. */
  get type(): string {
    return this.response.headers.get('content-type') ?? 'application/octet-stream';
  }

  /** The whole file. */
  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.response.arrayBuffer());
  }

  /** The file's bytes as they arrive: `await pipeline(download.stream, createWriteStream('photo.jpg'))`. */
  get stream(): ReadableStream<Uint8Array> {
    if (this.response.body === null) throw new Error('the answer has no body');
    return this.response.body;
  }
}
