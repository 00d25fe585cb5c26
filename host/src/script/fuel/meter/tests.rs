//! Tests the limits of a machine: fuel, depth, time, and uncharged work beside a command.

use super::*;

fn meter(callback: u64, command: u64) -> Meter {
    let limits = Limits {
        fuel_callback: callback,
        fuel_command: command,
        depth: 2,
        ..Limits::default()
    };
    let meter = Meter::new(limits, Arc::default());
    meter.begin_command();
    meter
}

fn burn(meter: &Meter) -> u64 {
    (1..)
        .find(|_| meter.count_safe_point() && meter.check_limits().is_some())
        .unwrap()
}

#[test]
fn fuel_ends_exactly_at_its_limit() {
    for fuel in [1, 2, 1023, 1024, 1025, 5000] {
        let meter = meter(fuel, 1_000_000);
        let _scope = meter.enter_script_call().unwrap();
        assert_eq!(burn(&meter), fuel);
        assert_eq!(meter.passed_limit(), Some(Limit::Fuel));
        assert!(
            meter.count_safe_point() && meter.check_limits().is_some(),
            "the flag stays"
        );
    }
}

#[test]
fn what_calls_spend_shows_at_the_next_safe_point() {
    let meter = meter(100, 1_000);
    let _scope = meter.enter_script_call().unwrap();
    meter.spend_fuel(98);
    assert!(!meter.count_safe_point());
    meter.spend_fuel(40);
    assert_eq!(meter.passed_limit(), None);
    assert!(meter.count_safe_point() && meter.check_limits() == Some(Limit::Fuel));
    meter.spend_fuel(40);
    assert!(
        meter.count_safe_point() && meter.check_limits().is_some(),
        "the flag stays"
    );
    assert_eq!(
        meter.fuel_used(),
        100,
        "what ends by fuel has used all of it"
    );
    meter.begin_command();
    for _ in 0..3 {
        meter.spend_fuel(20);
    }
    assert_eq!(meter.fuel_used(), 60);
}

#[test]
fn fuel_is_told_before_time() {
    let limits = Limits {
        fuel_callback: 100,
        time_callback: Some(std::time::Duration::ZERO),
        ..Limits::default()
    };
    let meter = Meter::new(limits, Arc::default());
    for end in [
        |meter: &Meter| meter.charge(100).err(),
        |meter: &Meter| {
            (0..100).find_map(|_| {
                if meter.count_safe_point() {
                    meter.check_limits()
                } else {
                    None
                }
            })
        },
    ] {
        meter.begin_command();
        let _scope = meter.enter_script_call().unwrap();
        assert_eq!(end(&meter), Some(Limit::Fuel));
    }
}

#[test]
fn a_command_counts_all_its_calls() {
    let meter = meter(800, 1_500);
    for _ in 0..2 {
        let scope = meter.enter_script_call().unwrap();
        for _ in 0..700 {
            assert!(!meter.count_safe_point() || meter.check_limits().is_none());
        }
        drop(scope);
    }
    assert_eq!(meter.fuel_used(), 1_400);
    let _scope = meter.enter_script_call().unwrap();
    assert_eq!(burn(&meter), 100);
}

#[test]
fn what_is_done_aside_has_the_fuel_of_a_callback_and_the_command_pays_nothing() {
    let meter = meter(100, 150);
    for _ in 0..2 {
        let scope = meter.enter_script_call().unwrap();
        assert_eq!(meter.charge(70), Ok(()));
        drop(scope);
    }
    let _scope = meter.enter_script_call().unwrap();
    let aside = meter.begin_uncharged_work();
    assert_eq!(meter.charge(60), Ok(()));
    assert_eq!(meter.enter_script_call().unwrap().meter.charge(30), Ok(()));
    drop(aside);
    assert_eq!(meter.fuel_used(), 140);
    assert_eq!(burn(&meter), 10, "what the command has left");
}

#[test]
fn a_limit_that_is_passed_aside_stays_passed() {
    let meter = meter(100, 1_000);
    let _scope = meter.enter_script_call().unwrap();
    let aside = meter.begin_uncharged_work();
    assert_eq!(burn(&meter), 100);
    drop(aside);
    assert_eq!(meter.passed_limit(), Some(Limit::Fuel));
    assert!(meter.count_safe_point() && meter.check_limits().is_some());
    assert!(meter.enter_script_call().is_err());
}

#[test]
fn nesting_is_refused_and_a_charge_counts_as_fuel() {
    let meter = meter(100, 1_000);
    let _one = meter.enter_script_call().unwrap();
    let _two = meter.enter_script_call().unwrap();
    assert_eq!(meter.charge(99), Ok(()));
    assert_eq!(meter.charge(1), Err(Limit::Fuel));
    assert!(meter.enter_script_call().is_err());
    meter.begin_command();
    assert_eq!(meter.passed_limit(), None);
    assert_eq!(meter.enter_script_call().err(), Some(Limit::Depth));
}
