import { Injectable } from '@nestjs/common';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { badRequest } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';
import { noSuchOrganisation } from './account.errors.js';
import type { Organisation } from './organisation.entity.js';
import {
  findOrganisation,
  findOrganisations,
  lockMembership,
  lockSettings,
  updateSettings,
} from './organisation.queries.js';
import { changedSettings, contradictoryWord, type OrganisationSettings } from './organisation-rules.js';

/** Owns organisations and their settings: automatic rules and opt-out words. */
@Injectable()
export class OrganisationsService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Every organisation, oldest first; for operators. */
  list(): Promise<Organisation[]> {
    return findOrganisations(this.unitOfWork.autocommit);
  }

  /** @throws DomainError `not_found` for an unknown organisation */
  async find(organisationId: RecordId): Promise<Organisation> {
    const organisation = await findOrganisation(organisationId, this.unitOfWork.autocommit);
    if (organisation === null) throw noSuchOrganisation(organisationId);
    return organisation;
  }

  /**
   * Changes the given settings; the others stay unchanged.
   *
   * @throws DomainError `not_found` for an unknown organisation; `bad_request` when the agent is not one of its members
   * or a word would both opt out and opt in
   */
  set(organisationId: RecordId, change: Partial<OrganisationSettings>, tx?: Tx): Promise<void> {
    return tx === undefined
      ? this.unitOfWork.transaction((own) => this.setWithin(organisationId, change, own))
      : this.setWithin(organisationId, change, tx);
  }

  private async setWithin(organisationId: RecordId, change: Partial<OrganisationSettings>, tx: Tx): Promise<void> {
    const current = await lockSettings(organisationId, tx);
    if (current === null) throw noSuchOrganisation(organisationId);
    const next = changedSettings(current, change);
    const word = contradictoryWord(next);
    if (word !== undefined) throw badRequest(`${word} cannot be both a stop word and a start word`);
    const agent = next.autoReplyUserId;
    if (agent !== null && !(await lockMembership(organisationId, agent, tx))) {
      throw badRequest(`user ${agent} is not a member of organisation ${organisationId}`);
    }
    await updateSettings(organisationId, next, tx);
  }
}
