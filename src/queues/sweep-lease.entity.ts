import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The single row that says which worker runs the sweeps, and until when. */
@Entity('sweep_lease')
export class SweepLease {
  @PrimaryColumn({ type: 'boolean', default: () => 'true' })
  onlyRow: boolean;

  /** Null: nobody. */
  @Column({ type: 'uuid', nullable: true })
  holder: string | null;

  /** By the database's clock. */
  @Column({ type: 'timestamptz', nullable: true })
  heldUntil: Date | null;

  /** The pid of a database session that ends with the holder's process; null while it has none. */
  @Column({ type: 'integer', nullable: true })
  session: number | null;
}
