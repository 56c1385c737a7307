import { DiscoveryModule } from '@nestjs/core';
import { Room } from '../manifest/room.js';
import { Hooks } from './hooks.js';
import { PersonalDataDebt } from './personal-data-debt.entity.js';

/** Lets rooms take part in changes of the core: a room lists the class that extends a listener among its providers. */
@Room({
  imports: [DiscoveryModule],
  entities: [PersonalDataDebt],
  kept: { personal_data_debts: 'until the source of an extension has followed' },
  personalData: {
    exempt: { personal_data_debts: 'ids only; a row is deleted when its source has erased or merged the contact' },
  },
  providers: [Hooks],
  exports: [Hooks],
})
export class HooksModule {}
