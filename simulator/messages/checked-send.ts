import type { JsonObject } from '../json-object.js';
import type { SimulatedPhone } from '../phone-registry.js';
import type { StoredTemplate } from '../templates/template-store.js';
import type { Addressee } from './addressee.js';

/** A message that is well-formed, with everybody and everything that it names. */
export interface CheckedSend {
  message: JsonObject;
  type: string;
  phone: SimulatedPhone;
  addressee: Addressee;
  template: StoredTemplate | null;
  /** Whether the recipient has moved to another number. */
  isLost: boolean;
}
