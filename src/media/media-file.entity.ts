import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What has become of a file: {@link MediaStatus}, or `discarded` when it must no longer exist. */
export type StoredMediaStatus = MediaStatus | 'discarded';

/**
 * What callers see of a file: still to be fetched, stored, no longer to be had, larger than `INBOUND_MEDIA_MAX_MB`, or
 * not what the network said it would be.
 */
export type MediaStatus = 'pending' | 'stored' | 'gone' | 'too_large' | 'refused';

/** The file of an inbound message. Its bytes are in the store; see media-store.ts. */
@Entity('media_files')
export class MediaFile {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  messageId: string;

  /** The phone that received it, whose token fetches it. */
  @Column({ type: 'uuid' })
  businessPhoneId: string;

  @Column({ type: 'text' })
  networkMediaId: string;

  @Column({ type: 'text', default: () => "'pending'::text" })
  status: StoredMediaStatus;

  /** What the network says until the file is stored, then by its content. */
  @Column({ type: 'text', nullable: true })
  mimeType: string | null;

  @Column({ type: 'text', nullable: true })
  filename: string | null;

  /** Bytes; null until the file is stored. */
  @Column({ type: 'integer', nullable: true })
  size: number | null;

  /** In lower-case hex; what the network says until the file is stored. */
  @Column({ type: 'text', nullable: true })
  sha256: string | null;

  /** Why there is no file, or why the last attempt failed: a sentence. */
  @Column({ type: 'text', nullable: true })
  reason: string | null;

  /** How often a process has begun to fetch it; identifies the attempt under way. */
  @Column({ type: 'integer', default: () => '0' })
  attempts: number;

  /** Attempts whose bytes were not what the network had said. */
  @Column({ type: 'integer', default: () => '0' })
  mismatches: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  receivedAt: Date;

  /** When it is fetched next, while it is pending. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt: Date;

  /** Until when a process may be fetching it. */
  @Column({ type: 'timestamptz', nullable: true })
  leasedUntil: Date | null;

  /** When the last attempt began. */
  @Column({ type: 'timestamptz', nullable: true })
  triedAt: Date | null;
}
