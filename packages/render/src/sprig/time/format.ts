import { civilOf, type Instant } from './instant.ts';
import { dayNames, layoutPieces, monthNames } from './layout.ts';

const two = (n: number): string => String(n).padStart(2, '0');

/** time.Format. */
export function formatTime(instant: Instant, layout: string): string {
  const t = civilOf(instant);
  return layoutPieces(layout)
    .map((piece) => {
      if ('text' in piece) return piece.text;
      switch (piece.field) {
        case 'January':
          return monthNames[t.month - 1];
        case 'Jan':
          return (monthNames[t.month - 1] ?? '').slice(0, 3);
        case '1':
          return String(t.month);
        case '01':
          return two(t.month);
        case 'Monday':
          return dayNames[t.weekday];
        case 'Mon':
          return (dayNames[t.weekday] ?? '').slice(0, 3);
        case '2':
          return String(t.day);
        case '_2':
          return String(t.day).padStart(2);
        case '02':
          return two(t.day);
        case '__2':
          return String(t.yearDay).padStart(3);
        case '002':
          return String(t.yearDay).padStart(3, '0');
        case '15':
          return two(t.hour);
        case '3':
          return String(t.hour % 12 || 12);
        case '03':
          return two(t.hour % 12 || 12);
        case '4':
          return String(t.minute);
        case '04':
          return two(t.minute);
        case '5':
          return String(t.second);
        case '05':
          return two(t.second);
        case '2006':
          return t.year < 0 ? `-${String(-t.year).padStart(4, '0')}` : String(t.year).padStart(4, '0');
        case '06':
          return two(((t.year % 100) + 100) % 100);
        case 'PM':
          return t.hour >= 12 ? 'PM' : 'AM';
        case 'pm':
          return t.hour >= 12 ? 'pm' : 'am';
        case 'MST':
          // A zone without a name is printed by its offset.
          return t.zoneName || formatOffset(t.offset, '-0700');
        case 'fraction':
          return formatFraction(instant.nanoseconds, piece.raw);
        default:
          return formatOffset(t.offset, piece.field);
      }
    })
    .join('');
}

function formatFraction(nanoseconds: number, raw: string): string {
  const digits = String(nanoseconds)
    .padStart(9, '0')
    .slice(0, raw.length - 1);
  if (raw.charAt(1) === '0') return raw.charAt(0) + digits.padEnd(raw.length - 1, '0');
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '' : raw.charAt(0) + kept;
}

function formatOffset(offset: number, field: string): string {
  if (field.startsWith('Z') && offset === 0) return 'Z';
  const size = Math.abs(offset);
  const [hours, minutes, seconds] = [two(Math.floor(size / 3600)), two(Math.floor(size / 60) % 60), two(size % 60)];
  const sign = offset < 0 ? '-' : '+';
  const colon = field.includes(':') ? ':' : '';
  const count = field.replace(/\D/g, '').length;
  return sign + [hours, minutes, seconds].slice(0, count / 2).join(colon);
}

/** time.String. */
export const timeText = (instant: Instant): string => formatTime(instant, '2006-01-02 15:04:05.999999999 -0700 MST');
export const rfc3339 = (instant: Instant): string => formatTime(instant, '2006-01-02T15:04:05.999999999Z07:00');
