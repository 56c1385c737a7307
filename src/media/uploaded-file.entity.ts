import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MediaKind } from '../egress/media-limits.js';

/** A file that a customer uploaded to send it by id. Its bytes are in the store; see media-store.ts. */
@Entity('uploaded_files')
export class UploadedFile {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** As what it can be sent. */
  @Column({ type: 'text' })
  kind: MediaKind;

  /** By its content and as declared. */
  @Column({ type: 'text' })
  mimeType: string;

  /** As its customer called it; null: not at all. */
  @Column({ type: 'text', nullable: true })
  filename: string | null;

  /** Bytes. */
  @Column({ type: 'integer' })
  size: number;

  /** In lower-case hex. */
  @Column({ type: 'text' })
  sha256: string;

  /** Whether a sticker moves. */
  @Column({ type: 'boolean', default: () => 'false' })
  isAnimated: boolean;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  /** From then on only campaigns that already use it can send it. */
  @Column({ type: 'timestamptz' })
  expiresAt: Date;
}
