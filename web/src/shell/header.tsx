import { coin } from "../data/chain.ts";
import { currency, theme } from "../data/settings.ts";
import { t } from "../language/messages.ts";
import { Choices } from "../parts/choices.tsx";
import { IconButton } from "../parts/icons.tsx";
import { route, withChain } from "../routing/router.ts";
import { Search } from "../search/search.tsx";
import { WalletButton } from "../wallet/wallet-button.tsx";
import { brand } from "./page-head.tsx";

const pages = [
  { page: "home", path: "/", name: "tokens" },
  { page: "board", path: "/board", name: "board" },
  { page: "leaderboard", path: "/leaderboard", name: "leaderboard" },
  { page: "stats", path: "/stats", name: "stats" },
] as const;

const currencies = () =>
  [
    { value: "usd", label: "USD" },
    { value: "bnb", label: coin.value },
  ] as const;

const nextTheme = { system: "light", light: "dark", dark: "system" } as const;
const themeIcons = { system: "system", light: "sun", dark: "moon" } as const;

export function Header() {
  return (
    <header class="header">
      <a class="brand" href={withChain("/")}>
        {brand.logo === undefined ? (
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" />
            <path d="M6 23c8 0 12-4 15-14M15.500 10.500 21.700 8l3 6" />
          </svg>
        ) : (
          <img src={brand.logo} alt="" width="28" height="28" />
        )}
        <span>{brand.name}</span>
      </a>
      <nav class="nav" aria-label={t.shell.pages}>
        {pages.map(({ page, path, name }) => (
          <a key={page} href={withChain(path)} aria-current={route.value.page === page ? "page" : undefined}>
            {t.shell[name]}
          </a>
        ))}
      </nav>
      <Search />
      <div class="header-end">
        <Choices
          label={t.shell.currency}
          value={currency.value}
          choices={currencies()}
          onChange={(value) => {
            currency.value = value;
          }}
        />
        <IconButton
          icon={themeIcons[theme.value]}
          label={t.shell.changeTheme(t.shell.themes[theme.value], t.shell.themes[nextTheme[theme.value]])}
          onClick={() => {
            theme.value = nextTheme[theme.value];
          }}
        />
        <WalletButton />
        <a
          class="button is-primary"
          href={withChain("/create")}
          aria-current={route.value.page === "create" ? "page" : undefined}
        >
          <span>
            {t.shell.create((text) => (
              <span class="wide-only">{text}</span>
            ))}
          </span>
        </a>
      </div>
    </header>
  );
}
