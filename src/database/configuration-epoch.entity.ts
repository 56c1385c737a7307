import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The one row that every change of configuration advances. */
@Entity('configuration_epoch')
export class ConfigurationEpoch {
  @PrimaryColumn({ type: 'boolean', default: () => 'true' })
  onlyRow: boolean;

  @Column({ type: 'bigint' })
  epoch: number;
}
