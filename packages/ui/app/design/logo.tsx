/** A line that is led through a fairlead. */
export const Logo = ({ size = 28 }: { readonly size?: number }) => (
  <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32">
    <rect width="32" height="32" rx="8" fill="#0b2a36" />
    <circle cx="16" cy="16" r="8" fill="none" stroke="#3fd0c9" strokeWidth="3.2" />
    <path
      d="M3 25 C 10 25, 12 16, 16 16 S 22 7, 29 7"
      fill="none"
      stroke="#f4f7f8"
      strokeWidth="2.6"
      strokeLinecap="round"
    />
  </svg>
);
