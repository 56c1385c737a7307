import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A template whose category is looked up on the network daily. */
@Entity('template_looks')
export class TemplateLook {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  templateId: string;

  /** When it was last sent, to the hour; null: not since the row was created. */
  @Column({ type: 'timestamptz', nullable: true })
  usedAt: Date | null;

  /** When the network will change its category, as announced; or when a notice left its state or category in doubt. */
  @Column({ type: 'timestamptz', nullable: true })
  changeAt: Date | null;

  @Column({ type: 'timestamptz' })
  lookAt: Date;
}
