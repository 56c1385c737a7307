import { AppendLog } from './control/append-log.js';
import { asciiJson } from './json-object.js';

/** A business phone as `POST /_sim/phones` registers it. */
export interface SimulatedPhone {
  phone_number_id: string;
  waba_id: string;
  display_phone_number: string;
  quality_rating?: string;
  throughput_level?: string;
  /** A tier as the network names it, e.g. `TIER_2K`. */
  messaging_limit?: string;
  /** The portfolio that owns its business account. */
  portfolio_id?: string;
  /** The code that answers all its messages. */
  error_code?: number;
  platform_type?: string;
  name_status?: string;
  is_on_biz_app?: boolean;
  /** Whether it is registered, until a call registers or deregisters it. */
  registered?: boolean;
  /** The PIN of its two-step verification; without one, the first registration sets it. */
  pin?: string;
  health_status?: object;
  webhook_configuration?: object;
}

/** The registered business phones and accounts; every other id is rejected as unknown. */
export class PhoneRegistry {
  private readonly phones = new Map<string, SimulatedPhone>();
  private log: AppendLog;

  static open(path: string): PhoneRegistry {
    const registry = new PhoneRegistry();
    registry.log = AppendLog.open(path, (line) => registry.keep(JSON.parse(line)));
    return registry;
  }

  async add(phone: SimulatedPhone): Promise<void> {
    const known = this.phones.get(phone.phone_number_id);
    if (known && asciiJson(known) === asciiJson(phone)) return;
    this.keep(phone);
    await this.log.append(asciiJson(phone));
  }

  find(phoneNumberId: string): SimulatedPhone | undefined {
    return this.phones.get(phoneNumberId);
  }

  hasAccount(wabaId: string): boolean {
    return [...this.phones.values()].some((phone) => phone.waba_id === wabaId);
  }

  ofAccount(wabaId: string): SimulatedPhone[] {
    return [...this.phones.values()].filter((phone) => phone.waba_id === wabaId);
  }

  /** The phone registered first, for callbacks that name none. */
  first(): SimulatedPhone | undefined {
    return this.phones.values().next().value;
  }

  close(): void {
    this.log.close();
  }

  private keep(phone: SimulatedPhone): void {
    this.phones.set(phone.phone_number_id, phone);
  }
}
