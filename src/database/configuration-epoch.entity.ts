import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A single row that every configuration change advances. */
@Entity('configuration_epoch')
export class ConfigurationEpoch {
  @PrimaryColumn({ type: 'boolean', default: () => 'true' })
  onlyRow: boolean;

  @Column({ type: 'bigint' })
  epoch: number;
}
