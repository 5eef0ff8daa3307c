/** Times of templates: `now`, `toDate`. They have milliseconds; Go's have nanoseconds. */
import { Method, Struct } from './struct.ts'
import { formatTime } from './time-layout.ts'
import { utc, type Zone, zoneOf } from './time-zone.ts'

export class Moment extends Struct {
  readonly typeName = 'time.Time'
  /** Milliseconds since 1970. */
  readonly at: number
  readonly zone: Zone
  readonly members: Struct['members']

  constructor(at: number, zone: Zone) {
    super()
    this.at = at
    this.zone = zone
    const whole = (layout: string) => () => BigInt(formatTime(layout, at, zone))
    const text = (layout: string) => () => formatTime(layout, at, zone)
    this.members = {
      Year: whole('2006'),
      Month: text('January'),
      Day: whole('2'),
      Hour: whole('15'),
      Minute: whole('4'),
      Second: whole('5'),
      YearDay: () => BigInt(formatTime('002', at, zone)),
      Weekday: text('Monday'),
      Unix: () => BigInt(Math.floor(at / 1000)),
      UnixMilli: () => BigInt(at),
      UnixNano: () => BigInt(at) * 1_000_000n,
      UTC: () => new Moment(at, utc),
      Local: () => new Moment(at, zoneOf('Local') ?? utc),
      String: () => this.text(),
      Format: () => new Method(([layout]) => formatTime(typeof layout === 'string' ? layout : '', at, zone)),
    }
  }

  text(): string {
    return formatTime('2006-01-02 15:04:05.999999999 -0700 MST', this.at, this.zone)
  }

  jsonText(): string {
    return formatTime('2006-01-02T15:04:05.999999999Z07:00', this.at, this.zone)
  }
}
