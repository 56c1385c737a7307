import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The copy of an uploaded file that a business phone has at the network, or that a process is making. */
@Entity('network_copies')
export class NetworkCopy {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  fileId: string;

  @PrimaryColumn({ type: 'uuid' })
  businessPhoneId: string;

  /** Null: there is none yet, or the network has forgotten it. */
  @Column({ type: 'text', nullable: true })
  networkMediaId: string | null;

  /** When its upload began. */
  @Column({ type: 'timestamptz', nullable: true })
  uploadedAt: Date | null;

  /** When the network last refused an id as one that it does not know. */
  @Column({ type: 'timestamptz', nullable: true })
  refusedAt: Date | null;

  /** Which process is uploading it. */
  @Column({ type: 'uuid', nullable: true })
  leaseId: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  leasedUntil: Date | null;
}
