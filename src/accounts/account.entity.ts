import { Column, Entity, PrimaryColumn } from 'typeorm';

export type AccountStatus = 'active' | 'suspended';

/** A tenant. */
@Entity('accounts')
export class Account {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', nullable: true })
  organisationId: string | null;

  @Column({ type: 'uuid' })
  ownerId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', default: () => "'active'::text" })
  status: AccountStatus;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
