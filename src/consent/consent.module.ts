import { Room } from '../manifest/room.js';
import { ConsentService } from './consent.service.js';
import { ConsentDecision } from './consent-decision.entity.js';
import { IdentityHashesService } from './identity-hashes.service.js';
import { Suppression } from './suppression.entity.js';
import { SuppressionSweep } from './suppression.sweep.js';

/** Who may get marketing messages: the ledger of decisions, the words that decide, people without a contact. */
@Room({
  entities: [ConsentDecision, Suppression],
  personalData: {
    covered: ['consent_decisions'],
    exempt: { suppressions: 'keyed hashes, kept so that people who opted out stay opted out' },
  },
  providers: [ConsentService, IdentityHashesService],
  worker: [SuppressionSweep],
  exports: [ConsentService],
})
export class ConsentModule {}
