import { AppendLog } from '../control/append-log.js';
import { asciiJson } from '../json-object.js';

/** An app of Meta's dashboard: where its callbacks go, and the fields that are ticked there. */
export interface SimulatedApp {
  app_id: string;
  secret: string;
  callback_url?: string;
  fields: string[];
}

/** An access token as `POST /_sim/tokens` declares it. A token that nobody declared may do everything. */
export interface SimulatedToken {
  token: string;
  app_id: string;
  type: string;
  /** Unix seconds; 0 for never. */
  expires_at: number;
  scopes: string[];
  /** The business accounts that it reaches; absent for all. */
  wabas?: string[];
}

/** An app that gets the callbacks of a business account, with the URL that replaces its own. */
export interface Subscription {
  waba_id: string;
  app_id: string;
  override_callback_uri?: string;
}

type Line =
  | { app: SimulatedApp }
  | { token: SimulatedToken }
  | { subscribed: Subscription }
  | { removed: Subscription };

/** The declared apps and tokens, and which app is subscribed to which business account. Survives a restart and a reset. */
export class AppStore {
  private readonly apps = new Map<string, SimulatedApp>();
  private readonly tokens = new Map<string, SimulatedToken>();
  private readonly subscribed = new Map<string, Map<string, Subscription>>();
  private log: AppendLog;

  static open(path: string): AppStore {
    const store = new AppStore();
    store.log = AppendLog.open(path, (line) => store.apply(JSON.parse(line)));
    return store;
  }

  app(id: string): SimulatedApp | undefined {
    return this.apps.get(id);
  }

  token(token: string): SimulatedToken | undefined {
    return this.tokens.get(token);
  }

  subscriptionsOf(wabaId: string): Subscription[] {
    return [...(this.subscribed.get(wabaId)?.values() ?? [])];
  }

  get hasSubscriptions(): boolean {
    return this.subscribed.size > 0;
  }

  declareApp(app: SimulatedApp): Promise<void> {
    return this.keep({ app });
  }

  declareToken(token: SimulatedToken): Promise<void> {
    return this.keep({ token });
  }

  subscribe(subscription: Subscription): Promise<void> {
    return this.keep({ subscribed: subscription });
  }

  unsubscribe(waba_id: string, app_id: string): Promise<void> {
    return this.keep({ removed: { waba_id, app_id } });
  }

  close(): void {
    this.log.close();
  }

  private async keep(line: Line): Promise<void> {
    this.apply(line);
    await this.log.append(asciiJson(line));
  }

  private apply(line: Line): void {
    if ('app' in line) this.apps.set(line.app.app_id, line.app);
    else if ('token' in line) this.tokens.set(line.token.token, line.token);
    else if ('removed' in line) this.subscribed.get(line.removed.waba_id)?.delete(line.removed.app_id);
    else {
      const { waba_id, app_id } = line.subscribed;
      const apps = this.subscribed.get(waba_id) ?? new Map<string, Subscription>();
      this.subscribed.set(waba_id, apps.set(app_id, line.subscribed));
    }
  }
}
