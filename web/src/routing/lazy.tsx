import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { readTexts } from "../language/messages.ts";
import { partsOf } from "../language/parts.ts";
import { PageSkeleton, Problem } from "../parts/problem.tsx";
import { PageProblem } from "../shell/page-head.tsx";

type Load<Props extends object> = () => Promise<{ default: ComponentType<Props> }>;

/** Creates a component whose code is loaded when it is first shown, such as a page's tab. */
export function lazyComponent<Props extends object>(
  load: Load<Props>,
  Waiting: ComponentType,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyComponent(props: Props) {
    const [failure, setFailure] = useState<unknown>();
    const [, setIsLoaded] = useState(loaded !== undefined);
    useEffect(() => {
      // Another one may have loaded it since this one was drawn.
      if (loaded !== undefined) return setIsLoaded(true);
      const unmounted = new AbortController();
      load().then(
        (module) => {
          loaded = module.default;
          setIsLoaded(true);
        },
        (error: unknown) => {
          // Code that could not be loaded is only requested again by a new page. Not in an effect: the device may be online sooner.
          window.addEventListener("online", () => location.reload(), { signal: unmounted.signal });
          setFailure(error);
        },
      );
      return () => unmounted.abort();
    }, []);
    if (failure !== undefined) {
      // Only a page has a title of its own, and no tab or dialog.
      const Failed = Waiting === PageSkeleton ? PageProblem : Problem;
      return <Failed error={failure} retry={() => location.reload()} isManual />;
    }
    const Loaded = loaded;
    return Loaded === undefined ? <Waiting /> : <Loaded {...props} />;
  };
}

/** Loads a page or a dialog when it is first shown, together with its texts. */
export function lazyPage<Props extends object>(
  name: keyof typeof partsOf,
  load: Load<Props>,
  Waiting: ComponentType = PageSkeleton,
): ComponentType<Props> {
  return lazyComponent<Props>(async () => {
    const [module] = await Promise.all([load(), readTexts(partsOf[name])]);
    return module;
  }, Waiting);
}
