const NOTHING = Buffer.alloc(0);

/** Bytes that arrive, of which one can look at the next before one takes them. */
export class ByteSource {
  private held: Buffer = NOTHING;
  private hasEnded = false;
  private readonly input: AsyncIterator<Buffer, unknown>;

  constructor(input: AsyncIterable<Buffer>) {
    this.input = input[Symbol.asyncIterator]();
  }

  /** The next bytes, at least `size` of them unless they end before; more if more have arrived. */
  async peek(size: number): Promise<Buffer> {
    const pieces = [this.held];
    for (let found = this.held.length; found < size && !this.hasEnded; ) {
      const { done, value } = await this.input.next();
      if (done === true) {
        this.hasEnded = true;
      } else {
        pieces.push(value);
        found += value.length;
      }
    }
    if (pieces.length > 1) this.held = Buffer.concat(pieces);
    return this.held;
  }

  /** Takes the next piece; null at the end. */
  async next(): Promise<Buffer | null> {
    const piece = await this.peek(1);
    this.held = NOTHING;
    return piece.length === 0 ? null : piece;
  }

  /** Takes `size` bytes that were looked at. */
  skip(size: number): void {
    this.held = this.held.subarray(size);
  }

  /** Puts back the end of the piece that was taken last. */
  unread(bytes: Buffer): void {
    this.held = bytes;
  }

  async close(): Promise<void> {
    await this.input.return?.();
  }
}
