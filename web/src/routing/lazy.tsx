import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../parts/problem.tsx";

/** Creates a component whose code is loaded when it is first shown: a page, or a tab of one. */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Waiting: ComponentType,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyComponent(props: Props) {
    const [failure, setFailure] = useState<unknown>();
    const [, setIsLoaded] = useState(loaded !== undefined);
    useEffect(() => {
      if (loaded !== undefined) return;
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
      return <Problem error={failure} retry={() => location.reload()} isManual />;
    }
    const Loaded = loaded;
    return Loaded === undefined ? <Waiting /> : <Loaded {...props} />;
  };
}
